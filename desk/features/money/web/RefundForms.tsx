import { addDays } from '#kit/contract/days.ts'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { downloadRefunds } from '../refunds.contract.ts'
import { type RefundsFilter, refundsParams, refundsPath } from './money.queries.ts'
import * as s from './money.module.css'

export function RefundFilterForm({ filter }: { filter: RefundsFilter }) {
  const { of, from, to } = filter
  return (
    // The fields take their initial values from the URL, so the key recreates the form when the URL changes.
    <form
      key={refundsPath(filter)}
      action="/money/refunds/"
      method="get"
      className={s.range}
      aria-label="Filter refunds by day"
    >
      <HiddenFilterInputs of={of} />
      <DayRangeFields from={from} to={to} />
      <DenseButton type="submit" icon="search">
        Filter
      </DenseButton>
      {(from ?? to) && (
        <DenseButton kind="word" href={refundsPath({ of })}>
          Clear filter
        </DenseButton>
      )}
    </form>
  )
}

export function RefundDownloadForm({ filter: { of, from, to }, today }: { filter: RefundsFilter; today: string }) {
  return (
    <Panel title="Download" note="CSV, up to one year, refunds in the state selected above">
      <form
        key={refundsPath({ of, from, to })}
        action={downloadRefunds.path}
        method="get"
        className={s.range}
        aria-label="Download refunds"
      >
        <HiddenFilterInputs of={of} />
        <DayRangeFields from={from ?? addDays(to ?? today, -30)} to={to ?? today} latest={today} />
        <DenseButton type="submit" icon="download">
          Download
        </DenseButton>
      </form>
    </Panel>
  )
}

const HiddenFilterInputs = ({ of }: Pick<RefundsFilter, 'of'>) =>
  Object.entries(refundsParams({ of })).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ))

type DayRangeFieldsProps = Pick<RefundsFilter, 'from' | 'to'> & {
  /** The latest day that can be selected. If set, both days are required. */
  latest?: string
}

function DayRangeFields({ from, to, latest }: DayRangeFieldsProps) {
  const limits = latest ? { required: true, max: latest } : {}
  return (
    <>
      <label>
        <span>From</span>
        <input type="date" name="from" {...limits} defaultValue={from ?? ''} />
      </label>
      <label>
        <span>To</span>
        <input type="date" name="to" {...limits} defaultValue={to ?? ''} />
      </label>
    </>
  )
}
