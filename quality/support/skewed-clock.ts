/**
 * This module is loaded into a process before its program (`node --import`). It shifts the wall clock by `CLOCK_SKEW_SECONDS`, and later by
 * the seconds in a message `{ clockSkewSeconds }`. This affects everything that reads `Date` or `Temporal.Now`. `performance.now` stays
 * correct, as it does on a host whose clock is changed.
 */
let skewMs = Number(process.env['CLOCK_SKEW_SECONDS'] ?? 0) * 1_000

const RealDate = Date
const getSkewedNow = (): number => RealDate.now() + skewMs

const SkewedDate = new Proxy(RealDate, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [getSkewedNow()] : args, newTarget),
  apply: () => new RealDate(getSkewedNow()).toString(),
  get: (target, key) => (key === 'now' ? getSkewedNow : Reflect.get(target, key)),
})
RealDate.prototype.constructor = SkewedDate
globalThis.Date = SkewedDate

const instant = (): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(getSkewedNow())
const zoned = (zone: Temporal.TimeZoneLike = Temporal.Now.timeZoneId()): Temporal.ZonedDateTime =>
  instant().toZonedDateTimeISO(zone)
Object.assign(Temporal.Now, {
  instant,
  zonedDateTimeISO: zoned,
  plainDateTimeISO: (zone?: Temporal.TimeZoneLike) => zoned(zone).toPlainDateTime(),
  plainDateISO: (zone?: Temporal.TimeZoneLike) => zoned(zone).toPlainDate(),
  plainTimeISO: (zone?: Temporal.TimeZoneLike) => zoned(zone).toPlainTime(),
})

process.on('message', (message) => {
  if (typeof message !== 'object' || message === null || !('clockSkewSeconds' in message)) return
  skewMs = Number(message.clockSkewSeconds) * 1_000
  process.send?.('skewed')
})
// Don't let the message channel keep this process alive.
process.channel?.unref()
