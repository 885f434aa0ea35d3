import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { formatDataAmount } from '#kit/contract/plans.ts'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Table } from '#kit/web/widgets/Table.tsx'
import { type History, historyMessages, maxCycles } from '../history.contract.ts'
import { monthLabel, cycleNotes, cycleLabel, usedDataLabel } from './history.labels.ts'
import * as s from './history.module.css'

export function HistoryTables({ history }: { history: History }) {
  return (
    <div className={s.tables}>
      <Card>
        <h2>Data by cycle</h2>
        {history.cycles.length === 0 ? <p className={s.none}>{historyMessages.none}</p> : <CycleTable {...history} />}
        {history.cycles.length === maxCycles && (
          <p className={s.none}>
            Showing the latest {maxCycles} cycles. Download the CSV or JSON file to see all of them.
          </p>
        )}
      </Card>
      <Card>
        <h2>Spending by month</h2>
        <Table
          caption="Spending by month, newest first"
          columns={[
            { title: 'Month', isShort: true, isName: true },
            { title: 'Paid', isFigure: true },
          ]}
          rows={history.months.toReversed().map(({ month, spent }) => ({
            key: month,
            cells: [monthLabel(month), formatPriceWithCommas(decimalToCents(spent))],
          }))}
        />
      </Card>
    </div>
  )
}

const CycleTable = ({ cycles }: Pick<History, 'cycles'>) => (
  <Table
    caption="Data by cycle, newest first"
    columns={[
      { title: 'Cycle', isName: true },
      { title: 'Used', isFigure: true },
      { title: 'Included', isFigure: true },
    ]}
    rows={cycles.toReversed().map((cycle, at) => ({
      // The key includes the index, because renewing a plan twice in one day gives two cycles the same dates.
      key: `${cycle.starts_on} ${cycle.last_day} ${at}`,
      cells: [
        <span key="span" className={s.span}>
          {cycleLabel(cycle)}
          {cycleNotes(cycle).map((note) => (
            <small key={note}>{note}</small>
          ))}
        </span>,
        usedDataLabel(cycle),
        formatDataAmount(cycle.data_gb),
      ],
    }))}
  />
)
