import { fromWire } from '#kit/contract/money.ts'
import { formatSum } from '#kit/contract/sums.ts'
import { formatData } from '#kit/contract/plans.ts'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Table } from '#kit/web/widgets/Table.tsx'
import { type History, historyMessages, maxCycles } from '../history.contract.ts'
import { monthWords, notesOf, spanWords, usedWords } from './history-words.ts'
import * as s from './history.module.css'

export function HistoryTables({ history }: { history: History }) {
  return (
    <div className={s.tables}>
      <Card>
        <h2>Data by cycle</h2>
        {history.cycles.length === 0 ? <p className={s.none}>{historyMessages.none}</p> : <Cycles {...history} />}
        {history.cycles.length === maxCycles && (
          <p className={s.none}>
            Showing the newest {maxCycles} cycles. Download the CSV or JSON file to see all of them.
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
          rows={history.months
            .toReversed()
            .map(({ month, spent }) => ({ key: month, cells: [monthWords(month), formatSum(fromWire(spent))] }))}
        />
      </Card>
    </div>
  )
}

const Cycles = ({ cycles }: Pick<History, 'cycles'>) => (
  <Table
    caption="Data by cycle, newest first"
    columns={[
      { title: 'Cycle', isName: true },
      { title: 'Used', isFigure: true },
      { title: 'Included', isFigure: true },
    ]}
    rows={cycles.toReversed().map((cycle, at) => ({
      // A plan that is renewed twice in a day ends two cycles on that day, so the key includes the index.
      key: `${cycle.starts_on} ${cycle.last_day} ${at}`,
      cells: [
        <span key="span" className={s.span}>
          {spanWords(cycle)}
          {notesOf(cycle).map((note) => (
            <small key={note}>{note}</small>
          ))}
        </span>,
        usedWords(cycle),
        formatData(cycle.data_gb),
      ],
    }))}
  />
)
