/**
 * UTC offsets of a time zone, earliest first. Each entry has an instant in milliseconds since 1970, and the offset in milliseconds from
 * that instant on. `null` means that the offset is unknown from there on.
 */
export type ZoneClock = { zone: string; changes: [since: number, ahead: number | null][] }

let currentClock: ZoneClock | undefined

export const getZoneClock = (): ZoneClock | undefined => currentClock

/** Stores the UTC offsets of a time zone. A browser takes a tenth of a second to look them up, while its visitor waits. */
export function setZoneClock(clock: ZoneClock): void {
  currentClock = clock
}
