#!/usr/bin/env bash
# The second edition 1.0-1 of a file is older than 1.0 for Ruby's Gem::Version (it makes 1.0.pre.1 of it, a test version), and newer for Python's packaging and for dpkg (a later build).
# One would guess that the version sorters of package managers agree on a number behind a hyphen. A list of downloads "newest first" and an update notice
# offer the new edition in one language and hide it in the other.
# Version: Gem::Version of RubyGems 3.3.15 with Ruby 3.1 (Debian's package ruby); packaging 23.0 (Debian's python3-packaging), dpkg 1.21.
set -euo pipefail
python=/usr/bin/python3
command -v ruby > /dev/null && "$python" -c 'import packaging.version' 2> /dev/null || { echo "needs Debian's packages ruby and python3-packaging"; exit 1; }
gem=$(ruby -e 'print %w[1.0 1.0-1 1.0.1].sort_by { |text| Gem::Version.new(text) }.join(" ")')
pre=$(ruby -e 'print Gem::Version.new("1.0-1").prerelease?')
pip=$("$python" -c 'from packaging.version import Version
print(*sorted(["1.0", "1.0-1", "1.0.1"], key=Version))')
debian=no; if dpkg --compare-versions 1.0-1 gt 1.0; then debian=yes; fi
ruby -e 'puts "RubyGems #{Gem::VERSION}, Ruby #{RUBY_VERSION}"'
"$python" -c 'import packaging; print("packaging", packaging.__version__)'
echo "seen: Ruby sorts $gem (a test version: $pre), Python $pip, dpkg says that 1.0-1 is newer: $debian"
[ "$gem|$pre|$pip|$debian" = '1.0-1 1.0 1.0.1|true|1.0 1.0-1 1.0.1|yes' ]
