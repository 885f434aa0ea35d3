import { lazy, Suspense } from 'react'
import { formatDate } from '#kit/contract/dates.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { Link } from '#kit/web/Link.tsx'
import { Pill } from '#kit/web/widgets/Pill.tsx'
import type { CustomerNumber } from '../customers.contract.ts'
import { type FactRow, FactList } from './FactList.tsx'
import * as s from './customer.module.css'

/** The usage gauge loads after the page, because it needs code of its own and a request to the network. */
const LazyNumberUsage = lazy(() => import('./NumberUsage.tsx'))

type RenewHandler = ((id: string) => void) | null

export function Numbers({
  id,
  numbers,
  onRenew,
}: {
  id: string
  numbers: readonly CustomerNumber[]
  onRenew: RenewHandler
}) {
  return (
    <div className={s.column}>
      {numbers.map((number) => (
        <NumberPanel key={number.id} customer={id} number={number} onRenew={onRenew} />
      ))}
      {numbers.length === 0 && (
        <Panel title="Numbers">
          <p className="muted">No numbers yet.</p>
        </Panel>
      )}
    </div>
  )
}

type NumberPanelProps = { customer: string; number: CustomerNumber; onRenew: RenewHandler }

function NumberPanel({ customer, number, onRenew }: NumberPanelProps) {
  const { zone } = useBootstrap().market
  const day = (instant: string): string => formatDate(instant, zone)
  const {
    name,
    state,
    plan,
    ends,
    since,
    released,
    sim,
    auto_renewal: renews,
    renewal_failed: failed,
    next_plan: next,
    next_starts: starts,
    port,
  } = number
  const rows: FactRow[] = [
    plan && state !== 'released' && ['Plan', plan],
    ends && state === 'active' && ['Until', day(ends)],
    ends && state === 'ended' && ['Ended', day(ends)],
    next && ['Next', starts ? `${next}, from ${day(starts)}` : next],
    state !== 'released' && ['Auto-renewal', renewalLabel(renews, failed)],
    ['SIM', sim],
    ['Since', day(since)],
    port && ['Port', <PortLink key="port" port={port} />],
    released && ['Released', day(released)],
  ]
  return (
    <Panel title={<NumberLink {...{ customer, number }} />} note={name} action={<NumberStatePill state={state} />}>
      {state === 'active' && (
        <Suspense>
          <LazyNumberUsage customer={customer} service={number.id} />
        </Suspense>
      )}
      <FactList rows={rows} />
      {onRenew && state !== 'released' && (
        <p className={s.numberActs}>
          <DenseButton icon="renew" onClick={() => onRenew(number.id)}>
            Renew plan
          </DenseButton>
        </p>
      )}
    </Panel>
  )
}

const PortLink = ({ port: { reference, words } }: { port: NonNullable<CustomerNumber['port']> }) => (
  <Link href={`/ports/${reference}/`}>{words}</Link>
)

const NumberLink = ({ customer, number: { id, number } }: Pick<NumberPanelProps, 'customer' | 'number'>) => (
  <Link href={`/customers/${customer}/numbers/${id}/`} className={s.toNumber}>
    {number || 'Erased number'}
  </Link>
)

const renewalLabel = (isOn: boolean, failed: boolean): string =>
  `${isOn ? 'On' : 'Off'}${failed ? ', last charge failed' : ''}`

export function NumberStatePill({ state }: Pick<CustomerNumber, 'state'>) {
  if (state === 'active') return <Pill kind="good">Active</Pill>
  return <Pill kind="warn">{state === 'ended' ? 'Plan ended' : 'Released'}</Pill>
}
