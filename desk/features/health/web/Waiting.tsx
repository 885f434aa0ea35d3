import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { spanWords } from '#desk/features/staff/web/span-words.ts'
import type { Late, Queue } from '../health.contract.ts'
import * as s from './health.module.css'

const unknown = 'The database took too long to answer. This usually means that a lot is waiting.'

export function Waiting({ queues, late }: { queues: Queue[] | null; late: Late[] | null }) {
  return (
    <div className={s.columns}>
      <Panel title="Jobs" note="by queue" inset={false}>
        {queues === null && <p className={s.none}>{unknown}</p>}
        {queues && (
          <DataTable
            caption="Jobs by queue"
            columns={[
              { title: 'Queue', isName: true },
              { title: 'Waiting', isFigure: true },
              { title: 'Oldest', isFigure: true },
              { title: 'Failing', isFigure: true },
            ]}
            rows={queues.map(({ queue, waiting, oldest_seconds, failing }) => ({
              key: queue,
              cells: [queue, waiting, waiting === 0 ? '–' : spanWords(oldest_seconds), failing],
            }))}
            empty="No jobs waiting."
          />
        )}
      </Panel>
      <Panel title="Overdue work">
        {late === null && <p className="muted">{unknown}</p>}
        {late?.length === 0 && <p className="muted">Nothing is overdue.</p>}
        <ul className={s.list}>
          {late?.map(({ sweep, seconds }) => (
            <li key={sweep} className={s.late}>
              <b>{sweep}</b> <span>for {spanWords(seconds)}</span>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}
