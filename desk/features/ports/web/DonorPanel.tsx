import { Panel } from '#kit/web/desk/Panel.tsx'
import type { DonorStatistics } from '../ports.contract.ts'
import { openDurationLabel } from './port.labels.ts'
import { PercentageBars } from './PercentageBars.tsx'

export function DonorPanel({ from, donor }: { from: string; donor: DonorStatistics }) {
  const { moved, declined, called_off, under_way, median_seconds, reasons, days } = donor
  const ended = moved + declined
  return (
    <Panel title={`Transfers from ${from}`} note={`requested in the last ${days} days`}>
      {ended === 0 && <p className="muted">No transfers have completed or been declined yet.</p>}
      {ended > 0 && (
        <p>
          <b>{Math.round((moved / ended) * 100)}% completed</b>: {moved} of {ended}
          <span>{median_seconds === null ? '.' : `, half of them within ${openDurationLabel(median_seconds)}.`}</span>
        </p>
      )}
      {called_off + under_way > 0 && (
        <p className="muted">
          {[called_off > 0 && `${called_off} cancelled`, under_way > 0 && `${under_way} in progress`]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
      {reasons.length > 0 && (
        <PercentageBars
          label="Reasons for declines"
          rows={reasons.map(({ words, code, times }) => ({
            key: code ?? '',
            what: (
              <>
                <span>{words}</span> {code && <code>{code}</code>}
              </>
            ),
            share: times / declined,
            figure: times,
          }))}
        />
      )}
    </Panel>
  )
}
