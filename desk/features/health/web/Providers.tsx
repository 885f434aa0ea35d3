import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { Strip } from '#kit/web/desk/Strip.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { minuteOf } from '#desk/features/staff/web/span-words.ts'
import { halfHourName, tookWords } from '#desk/features/today/web/run-words.ts'
import { RunName } from '#desk/features/today/web/RunName.tsx'
import type { Run } from '#desk/features/today/today.contract.ts'

export function Providers({ runs, at }: { runs: Run[]; at: string }) {
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
            <RunName key="name" service={service} />,
            <Now key="now" run={run} zone={zone} />,
            <Strip key="strip" title="Calls" slots={slots} nameOf={(slot) => halfHourName(at, slot, zone)} />,
            failedOf(slots),
            p95_ms === null ? '–' : tookWords(p95_ms),
          ],
        }))}
      />
    </Panel>
  )
}

function Now({ run, zone }: { run: Pick<Run, 'failing_since' | 'last_failure' | 'failures'>; zone: string }) {
  const { failing_since: since, last_failure: last, failures } = run
  if (since)
    return (
      <>
        <TonePill tone="bad">No answer since {minuteOf(since, zone)}</TonePill> <span>{failures} failed</span>
      </>
    )
  return (
    <>
      <TonePill tone="good">Answering</TonePill>
      {last && <span> last failure {minuteOf(last, zone)}</span>}
    </>
  )
}

function failedOf(slots: Run['slots']): string {
  const failed = slots.reduce((sum, slot) => sum + slot.failed, 0)
  const all = slots.reduce((sum, { ok, slow }) => sum + ok + slow, failed)
  return all === 0 ? 'no calls' : `${failed} of ${all}`
}
