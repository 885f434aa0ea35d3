/**
 * The offsets of a zone from UTC, in milliseconds, each from an instant in milliseconds since 1970 on, earliest first. `null` from the
 * instant where the offset is unknown.
 */
export type ZoneClock = { zone: string; changes: [since: number, ahead: number | null][] }

let currentClock: ZoneClock | undefined

export const getZoneClock = (): ZoneClock | undefined => currentClock

/** Stores a zone's offsets, because a browser takes a tenth of a second to look them up while its visitor waits. */
export function setZoneClock(clock: ZoneClock): void {
  currentClock = clock
}
