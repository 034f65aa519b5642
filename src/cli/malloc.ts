/** What the C library's allocator is told. It asks the environment alone, and only when a process starts. */

/**
 * It would give each thread, also those of Node itself, a part of memory of its own, none of which fits what another one
 * has left free.
 */
const FEW_ARENAS = { MALLOC_ARENA_MAX: "2" };

/**
 * What threads hand each other goes back to the system as soon as it is free. Left alone, the allocator learns that such
 * sizes come again, and keeps them between what stays.
 */
const OWN_PAGES = { MALLOC_MMAP_THRESHOLD_: "65536" };

/**
 * Begins this process anew, with the same command and the same number, where nobody has told the allocator anything yet. To
 * be called before anything is begun that would have to end first.
 */
export function startFrugally(): void {
  const { env, platform, execve, execPath, execArgv, argv } = process;
  const isTold = Object.keys(OWN_PAGES).some((name) => env[name] !== undefined);
  // Older ones of the versions of Node that are supported cannot; the C library of other systems has no such settings.
  if (isTold || platform !== "linux" || execve === undefined) return;
  execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...FEW_ARENAS, ...OWN_PAGES, ...env });
}
