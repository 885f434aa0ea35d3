/**
 * How far a zone's clock is ahead of UTC, in milliseconds, from each instant on, in milliseconds since 1970; the earliest first. Null from
 * where it is not known.
 */
export type ZoneClock = { zone: string; changes: [since: number, ahead: number | null][] }

let told: ZoneClock | undefined

/** What the page came with. */
export const toldClock = (): ZoneClock | undefined => told

/** Takes note of how a zone's clock goes: a browser takes a tenth of a second to look it up, while its visitor waits. */
export function noteZoneClock(clock: ZoneClock): void {
  told = clock
}
