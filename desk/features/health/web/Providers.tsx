import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { StatusStrip } from '#kit/web/desk/StatusStrip.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import { halfHourStartLabel, responseTimeLabel } from '#desk/features/today/web/provider.labels.ts'
import { ProviderName } from '#desk/features/today/web/ProviderName.tsx'
import type { ProviderStatus } from '#desk/features/today/today.contract.ts'

export function Providers({ runs, at }: { runs: ProviderStatus[]; at: string }) {
  const { zone } = useBootstrap().market
  return (
    <Panel title="Providers" note="last 24 hours" inset={false}>
      <DataTable
        caption="Providers"
        columns={[
          { title: 'Provider', isName: true },
          { title: 'Now' },
          { title: 'Last 24 hours' },
          { title: 'Failed', isFigure: true },
          { title: '95% within', isFigure: true },
        ]}
        rows={runs.map(({ service, slots, p95_ms, ...run }) => ({
          key: service,
          cells: [
            <ProviderName key="name" service={service} />,
            <CurrentState key="now" run={run} zone={zone} />,
            <StatusStrip
              key="strip"
              title="Calls"
              slots={slots}
              nameOf={(slot) => halfHourStartLabel(at, slot, zone)}
            />,
            failureText(slots),
            p95_ms === null ? '–' : responseTimeLabel(p95_ms),
          ],
        }))}
      />
    </Panel>
  )
}

function CurrentState({
  run,
  zone,
}: {
  run: Pick<ProviderStatus, 'failing_since' | 'last_failure' | 'failures'>
  zone: string
}) {
  const { failing_since: since, last_failure: last, failures } = run
  if (since)
    return (
      <span key="failing">
        <TonePill tone="bad">No answer since {formatDayAndTime(since, zone)}</TonePill> <span>{failures} failed</span>
      </span>
    )
  return (
    <span key="answering">
      <TonePill tone="good">Answering</TonePill>
      <span>{last && ` last failure ${formatDayAndTime(last, zone)}`}</span>
    </span>
  )
}

function failureText(slots: ProviderStatus['slots']): string {
  const failedCount = slots.reduce((sum, slot) => sum + slot.failed, 0)
  const all = slots.reduce((sum, { ok, slow }) => sum + ok + slow, failedCount)
  return all === 0 ? 'no calls' : `${failedCount} of ${all}`
}
