/**
 * Names of the time zones of markets that have several. In such a market, every sentence with a time of day names the zone. A market with
 * one zone, such as New Zealand, has no entry, and its sentences name none.
 */
const zoneNames: ReadonlyMap<string, string> = new Map([['Australia/Sydney', 'Sydney time']])

export const getZoneName = (zone: string): string | null => zoneNames.get(zone) ?? null

/** Names the zone after a time with its date: `9 am on Mon 28 Dec, Sydney time`. */
export function appendZone(timeAndDate: string, zone: string): string {
  const name = getZoneName(zone)
  return name === null ? timeAndDate : `${timeAndDate}, ${name}`
}

/** Names the zone after a time without a date: `9 am Sydney time`. */
export function appendZoneToTime(time: string, zone: string): string {
  const name = getZoneName(zone)
  return name === null ? time : `${time} ${name}`
}

/** The comma that closes a zone's name when the sentence continues: `On Mon 28 Dec at 9 am, Sydney time, we will charge $25.00`. */
export const getCommaAfterZone = (zone: string): string => (getZoneName(zone) === null ? '' : ',')
