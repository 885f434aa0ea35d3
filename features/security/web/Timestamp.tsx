import { formatMoment } from '#kit/contract/format-moment.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'

export function Timestamp({ at }: { at: string }) {
  const { market, serverTime } = useBootstrap()
  return <time dateTime={at}>{formatMoment(at, { zone: market.zone, now: serverTime })}</time>
}
