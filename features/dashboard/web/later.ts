/** What loads each part of the page that comes later: for `lazy`. */
export const laterParts = async () => (await import('./later-parts.ts')).parts
