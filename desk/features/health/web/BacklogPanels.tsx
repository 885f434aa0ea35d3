import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { durationLabel } from '#desk/features/staff/web/time.labels.ts'
import type { OverdueSweep, Queue } from '../health.contract.ts'
import * as s from './health.module.css'

const timeoutMessage = 'The database took too long to answer. This usually means that a lot of work is waiting.'

export function BacklogPanels({ queues, late }: { queues: Queue[] | null; late: OverdueSweep[] | null }) {
  return (
    <div className={s.columns}>
      <Panel title="Jobs" note="by queue" inset={false}>
        {queues === null && <p className={s.none}>{timeoutMessage}</p>}
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
              cells: [queue, waiting, waiting === 0 ? '–' : durationLabel(oldest_seconds), failing],
            }))}
            empty="No jobs waiting."
          />
        )}
      </Panel>
      <Panel title="Overdue work">
        {late === null && <p className="muted">{timeoutMessage}</p>}
        {late?.length === 0 && <p className="muted">Nothing is overdue.</p>}
        <ul className={s.list}>
          {late?.map(({ sweep, seconds }) => (
            <li key={sweep} className={s.late}>
              <b>{sweep}</b> <span>for {durationLabel(seconds)}</span>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}
