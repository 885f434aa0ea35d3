/**
 * UTC offsets of a time zone, earliest first. Each entry pairs an instant in milliseconds since 1970 with the offset in milliseconds that
 * applies from then on. `null` means that the offset is unknown from that instant on.
 */
export type ZoneClock = { zone: string; changes: [since: number, ahead: number | null][] }

let currentClock: ZoneClock | undefined

export const getZoneClock = (): ZoneClock | undefined => currentClock

/**
 * Stores a time zone's UTC offsets, which come with the page. Looking them up would take a browser a tenth of a second while the visitor
 * waits.
 */
export function setZoneClock(clock: ZoneClock): void {
  currentClock = clock
}
