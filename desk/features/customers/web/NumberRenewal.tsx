import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { appendZone } from '#kit/contract/zone-name.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { Link } from '#kit/web/Link.tsx'
import type { NumberRenewal as Renewal } from '../number.contract.ts'
import { useMomentFormatter } from './SidePanels.tsx'
import { FactList } from './FactList.tsx'
import * as s from './customer.module.css'
import * as own from './number.module.css'

export function NumberRenewal({ renewal }: { renewal: Renewal }) {
  const { is_on: isOn, is_charging: isCharging, trouble, tries, next } = renewal
  return (
    <Panel
      title="Auto-renewal"
      action={<TonePill tone={!isOn ? 'plain' : trouble ? 'warn' : 'good'}>{isOn ? 'On' : 'Off'}</TonePill>}
    >
      {trouble && <p className={own.trouble}>{trouble}.</p>}
      {isCharging && <p>A charge is in progress.</p>}
      {next && <NextCharge next={next} />}
      {!next && !isCharging && <p className={s.small}>No automatic charge is scheduled.</p>}
      {tries.length > 0 && <ChargeAttempts tries={tries} />}
    </Panel>
  )
}

function NextCharge({ next: { at, amount, plan, card, again } }: { next: NonNullable<Renewal['next']> }) {
  const formatInZone = useMomentFormatter()
  const { zone } = useBootstrap().market
  // Staff tell the customer these times, so they name the zone.
  const formatWithZone = (instant: string): string => appendZone(formatInZone(instant), zone)
  return (
    <FactList
      rows={[
        ['Charge', formatWithZone(at)],
        ['Amount', formatPriceWithCommas(decimalToCents(amount))],
        ['For', plan],
        ['From', card ?? 'No card'],
        again.length > 0 && ['Retry if the charge fails', again.map(formatWithZone).join(', then ')],
      ]}
    />
  )
}

function ChargeAttempts({ tries }: Pick<Renewal, 'tries'>) {
  const formatMoment = useMomentFormatter()
  return (
    <div className={own.next}>
      <h3>Attempts</h3>
      <ul className={s.list}>
        {tries.map(({ code, said, tone, at, amount }) => (
          <li key={code}>
            <p className={tone === 'bad' ? s.bad : ''}>{said}</p>
            <p className={s.small}>
              {formatMoment(at)} · {formatPriceWithCommas(decimalToCents(amount))} ·{' '}
              <Link href={`/orders/${code}/`}>{code}</Link>
            </p>
          </li>
        ))}
      </ul>
    </div>
  )
}
