import { formatTime24 } from '#kit/web/desk/timeline-days.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { BarChart } from '#kit/web/desk/BarChart.tsx'
import { Figures } from '#kit/web/desk/Figure.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { Approvals } from '#desk/features/approvals/web/Approvals.tsx'
import { hasRole, useMe } from '#desk/features/staff/web/me.queries.ts'
import type { Figures as DayFigures } from '../today.contract.ts'
import { buildFigures } from './figure.labels.ts'
import { RefusalsPanel } from './RefusalsPanel.tsx'
import { ProvidersPanel } from './ProvidersPanel.tsx'
import { StockPanel } from './StockPanel.tsx'
import { TasksPanel } from './TasksPanel.tsx'
import { todayQuery } from './today.queries.ts'
import * as s from './today.module.css'

const weekdays: Record<string, string> = {
  Mon: 'Monday',
  Tue: 'Tuesday',
  Wed: 'Wednesday',
  Thu: 'Thursday',
  Fri: 'Friday',
  Sat: 'Saturday',
  Sun: 'Sunday',
}

export default function TodayPage() {
  const { zone } = useBootstrap().market
  const { data, error, refetch } = useQuery(todayQuery(useApi()))
  const ports = hasRole(useMe(), ['support']) ? '/ports/' : undefined
  const weekday = weekdays[data?.figures.weekday ?? '']
  return (
    <>
      <header className={s.head}>
        <h1>Today</h1>
        {weekday && <p className="muted">Compared with the same time on {weekday} last week</p>}
      </header>
      {error && !data && (
        <Unavailable what="We couldn’t load the figures." error={error} onRetry={() => void refetch()} />
      )}
      {data && (
        <Figures figures={buildFigures(data.figures, Number(formatTime24(data.figures.at, zone).slice(0, 2)), ports)} />
      )}
      {!data && !error && <Skeleton lines={2} />}
      <div className={s.columns}>
        <div className={s.column}>
          <Approvals />
          <TasksPanel />
          {data && <HoursPanel figures={data.figures} weekday={weekday ?? ''} />}
        </div>
        {data && (
          <div className={s.column}>
            <ProvidersPanel runs={data.runs} at={data.runs_at} jobs={data.figures.jobs} />
            <RefusalsPanel refusals={data.figures.refusals} />
            <StockPanel stock={data.figures.stock} />
          </div>
        )}
      </div>
    </>
  )
}

function HoursPanel({ figures: { hours }, weekday }: { figures: DayFigures; weekday: string }) {
  return (
    <Panel title="Orders by hour">
      <BarChart
        title="Orders by hour"
        series={['Renewed', 'Activated']}
        beforeTitle={`Last ${weekday}`}
        bars={hours.map(({ hour, renewed, activated, before }) => ({
          label: String(hour).padStart(2, '0'),
          parts: [renewed, activated],
          before,
        }))}
      />
    </Panel>
  )
}
