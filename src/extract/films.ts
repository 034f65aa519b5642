/** Players in frames → the film's page. A player that is opened outside of a frame may refuse to play. */

/** YouTube's ids have 11 characters, and so has `videoseries`, which plays a list. */
const YOUTUBE = /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]{11})(?:\?|$)/;
const YOUTUBE_LIST = /[?&]list=([\w-]{2,64})(?:&|$)/;
/** An unlisted film has its key in `h`. */
const VIMEO = /^https?:\/\/player\.vimeo\.com\/video\/(\d{1,15})(?:\?(?:[^#]*&)?h=(\w{1,32}))?/;
/** What the two sites write into the title of every frame. */
const PLAYER_TITLE = /^\s*(?:youtube video player|vimeo-player)\s*$/i;

/** `https://www.youtube.com/embed/M7lc1UVf-VE?rel=0` → `https://www.youtube.com/watch?v=M7lc1UVf-VE`; null for any other frame. */
export function filmPage(frame: string): string | null {
  const youtube = YOUTUBE.exec(frame)?.[1];
  const list = YOUTUBE_LIST.exec(frame)?.[1];
  if (youtube === "videoseries")
    return list === undefined ? null : `https://www.youtube.com/playlist?list=${list}`;
  if (youtube !== undefined) return `https://www.youtube.com/watch?v=${youtube}`;
  const [, vimeo, key] = VIMEO.exec(frame) ?? [];
  if (vimeo === undefined) return null;
  return key === undefined ? `https://vimeo.com/${vimeo}` : `https://vimeo.com/${vimeo}/${key}`;
}

export function isPlayerTitle(title: string): boolean {
  return PLAYER_TITLE.test(title);
}
