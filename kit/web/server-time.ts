// The clock offset is set only in the browser: a server that renders pages never calls setServerTime.
let offset = 0

export function setServerTime(iso: string): void {
  const time = Date.parse(iso)
  if (!Number.isNaN(time)) offset = time - Date.now()
}

/**
 * Returns the current time by the server's clock, as accurately as the latest response allows. The gateway rejects a card that was
 * encrypted with a different time.
 */
export function getServerTime(): Date {
  return new Date(Date.now() + offset)
}
