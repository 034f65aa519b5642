<?php
/**
 * Easy Digital Downloads beside Paid Memberships Pro: `make` writes downloads and posts with texts for members through the plugins' own
 * functions, `shown` prints the words that a visitor sees who is not logged in. Words: openN for everyone, guestN for non-members,
 * CNRY for members.
 */
require __DIR__ . '/wordpress.php';

// As many themes do, because WordPress itself runs neither in these.
foreach (['the_excerpt', 'term_description'] as $text) {
    add_filter($text, 'do_blocks', 8);
    add_filter($text, 'do_shortcode', 12);
}
// As its add-ons for other post types do.
add_filter('pmpro_restrictable_taxonomies', fn ($taxonomies) => array_merge($taxonomies, ['download_category']));

function block(string $name, array $attributes, string $content): string
{
    return get_comment_delimited_block_content($name, $attributes, $content);
}

function paragraph(string $words, array $attributes = []): string
{
    return block('core/paragraph', $attributes, "\n<p>$words</p>\n");
}

function group(string $content, array $attributes = []): string
{
    return block('core/group', $attributes, "\n<div class=\"wp-block-group\">$content</div>\n");
}

function columns(string ...$columns): string
{
    $inner = array_map(fn ($each) => block('core/column', [], "\n<div class=\"wp-block-column\">$each</div>\n"), $columns);
    return block('core/columns', [], "\n<div class=\"wp-block-columns\">" . implode("\n", $inner) . "</div>\n");
}

function members(string $content, array $attributes = []): string
{
    return block('pmpro/membership', $attributes, "\n$content\n");
}

/** Texts as editors write them. */
function texts(int $level): array
{
    $specific = ['segment' => 'specific', 'levels' => ["$level"]];
    $shown_to_members = ['visibilityBlockEnabled' => true, 'invert_restrictions' => '0', 'segment' => 'all', 'levels' => [], 'show_noaccess' => '0'];
    return [
        'Blocks' => paragraph('open1') . members(paragraph('CNRY block')) . paragraph('open2'),
        'Blocks in blocks' => group(paragraph('open3') . members(group(paragraph('CNRY outer') . members(paragraph('CNRY inner'), $specific)) . paragraph('CNRY outer'))) . paragraph('open4'),
        'Columns' => columns(paragraph('open5') . members(paragraph('CNRY column'), $specific), paragraph('open6')),
        'Legacy levels' => members(paragraph('CNRY legacy'), ['levels' => ["$level"], 'uid' => 'CNRY']) . paragraph('open7'),
        'With a message' => members(paragraph('CNRY message'), ['show_noaccess' => '1']) . paragraph('open8'),
        'Logged in' => members(paragraph('CNRY logged in'), ['segment' => 'logged_in']) . paragraph('open9'),
        'For those who are no members' => paragraph('open10') . members(paragraph('guest1'), ['invert_restrictions' => '1']) . paragraph('guest2', ['visibilityBlockEnabled' => true, 'invert_restrictions' => '1']),
        'Core blocks with a rule' => paragraph('open11') . paragraph('CNRY paragraph', $shown_to_members) . group(paragraph('CNRY group'), ['visibilityBlockEnabled' => true] + $specific)
            . block('core/list', $shown_to_members, "\n<ul><!-- wp:list-item --><li>CNRY item</li><!-- /wp:list-item --></ul>\n") . paragraph('open12'),
        'Shortcodes' => "open13\n\n[membership]CNRY shortcode[/membership]\n\n[membership level=\"$level\"]<p>CNRY level</p>\n[caption width=\"9\"]CNRY caption[/caption]\n[/membership] open14",
        'A shortcode in a block' => paragraph('open15 [membership]CNRY words[/membership] open16') . block('core/shortcode', [], "\n[membership levels=\"$level\"]CNRY shortcode block[/membership]\n")
            . group('[membership]' . paragraph('CNRY paragraph of a shortcode') . '[/membership]'),
        'For no members by shortcode' => 'open17 [membership level="0"]guest3[/membership]',
        'Blocks of the plugin' => paragraph('open18') . '<!-- wp:pmpro/checkout-button {"text":"CNRY join","level":"' . $level . '"} /-->' . paragraph('open19'),
    ];
}

function make_download(string $title, int $category, string $content, string $excerpt): int
{
    $id = make_post(['post_type' => 'download', 'post_title' => $title, 'post_content' => $content, 'post_excerpt' => $excerpt], ['edd_price' => '9.00']);
    wp_set_object_terms($id, [$category], 'download_category');
    return $id;
}

function make(): void
{
    edd_install_component_database_tables();
    edd_update_option('currency', 'EUR');
    pmpro_checkForUpgrades();
    $gold = new PMPro_Membership_Level();
    $gold->name = 'Gold';
    $gold->description = $gold->confirmation = 'CNRY level';
    $gold->allow_signups = 1;
    $gold->save();
    $level = (int) $gold->id;
    $user = wp_insert_user(['user_login' => 'CNRY_member', 'user_pass' => 'CNRY_password', 'user_email' => 'cnry.member@canary.example']);
    pmpro_changeMembershipLevel($level, $user);

    $excerpt = "open20 [membership level=\"$level\"]CNRY excerpt[/membership] open21" . members('CNRY block of an excerpt');
    $described = ['description' => "open22 [membership]CNRY description[/membership] open23"];
    $themes = make_term('download_category', 'Themes', $described);
    $for_members = make_term('download_category', 'Members only', $described);
    foreach (texts($level) as $title => $text) {
        make_download($title, $themes, $text, $excerpt);
        make_post(['post_title' => $title, 'post_content' => $text, 'post_excerpt' => $excerpt]);
    }

    // For members as a whole: by itself, by its category and by its tag.
    $news = make_term('category', 'News for members');
    $tag = make_term('post_tag', 'gold');
    pmpro_updateMembershipCategories($level, [$news, $tag, $for_members]);
    $whole = ['post_content' => paragraph('CNRY whole'), 'post_excerpt' => 'CNRY whole excerpt'];
    pmpro_update_post_level_restrictions(make_download('Restricted', $themes, ...array_values($whole)), [$level]);
    make_download('Restricted by category', $for_members, ...array_values($whole));
    pmpro_update_post_level_restrictions(make_post(['post_title' => 'Restricted'] + $whole), [$level]);
    make_post(['post_title' => 'Restricted by category', 'post_category' => [$news]] + $whole);
    make_post(['post_title' => 'Restricted by tag', 'tags_input' => [$tag]] + $whole);
}

function words(string $html): array
{
    preg_match_all('/\b(?:open|guest)\d+|CNRY[\w ]*/', wp_strip_all_tags($html), $found);
    return $found[0];
}

function shown(): void
{
    $texts = [];
    foreach (get_posts(['post_type' => ['download', 'post'], 'numberposts' => -1, 'orderby' => 'ID', 'order' => 'ASC']) as $each) {
        $GLOBALS['post'] = $each;
        setup_postdata($each);
        $texts[] = [
            'type' => $each->post_type,
            'id' => $each->ID,
            'slug' => $each->post_name,
            'content' => words(apply_filters('the_content', get_the_content())),
            'excerpt' => words(apply_filters('the_excerpt', get_the_excerpt())),
            'restricted' => !pmpro_has_membership_access($each->ID),
        ];
    }
    foreach (get_terms(['taxonomy' => 'download_category', 'hide_empty' => true, 'orderby' => 'id']) as $term) {
        $texts[] = ['type' => 'category', 'id' => $term->term_id, 'slug' => $term->slug, 'content' => words(term_description($term)), 'excerpt' => [], 'restricted' => false];
    }
    tell([
        'made' => ['wordpress' => wp_get_wp_version(), 'edd' => EDD_VERSION, 'pmpro' => PMPRO_VERSION, 'at' => gmdate('Y-m-d\TH:i:s\Z')],
        'texts' => $texts,
    ]);
}

$step === 'make' ? make() : shown();
