import { useApi } from '#kit/web/api.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import type { PortFigures } from '../ports.contract.ts'
import { openDurationLabel } from './port.labels.ts'
import { portFiguresQuery } from './ports.queries.ts'
import { PercentageBars } from './PercentageBars.tsx'
import * as s from './ports.module.css'

/** A provider with at least `asked` first requests is marked if less than this share of them completed. */
const lowSuccessThreshold = { share: 0.8, asked: 5 }

export function PortFiguresPanels() {
  const { data, error, refetch } = useQuery(portFiguresQuery(useApi()))
  if (!data)
    return error ? (
      <Unavailable what="We couldn’t load the transfer statistics." error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton lines={5} />
    )
  return (
    <div className={s.figures}>
      <FirstRequestSuccess figures={data} />
      <FailureReasons figures={data} />
    </div>
  )
}

function FirstRequestSuccess({ figures: { days, donors } }: { figures: PortFigures }) {
  return (
    <Panel title="Successful at the first request" note={`Last ${days} days, with the median time`}>
      {donors.length === 0 && <p className="muted">No transfers have completed or been declined yet.</p>}
      <PercentageBars
        label="Successful at the first request, by provider"
        rows={donors.map(({ name, asked, came, median_seconds: seconds }) => {
          const share = came / asked
          return {
            key: name,
            what: name,
            share,
            figure: (
              <span title={`${came} of ${asked}`}>
                {Math.round(share * 100)}%
                <span className="visually-hidden">
                  : {came} of {asked}
                </span>
              </span>
            ),
            also: seconds === null ? '–' : openDurationLabel(seconds),
            isBad: share < lowSuccessThreshold.share && asked >= lowSuccessThreshold.asked,
          }
        })}
      />
    </Panel>
  )
}

function FailureReasons({ figures: { days, failed, reasons } }: { figures: PortFigures }) {
  const [commonest] = reasons
  return (
    <Panel title="Why transfers failed" note={`${failed} in the last ${days} days`}>
      {reasons.length === 0 && <p className="muted">No transfers failed.</p>}
      <PercentageBars
        label="Reasons for failures"
        rows={reasons.map(({ words, code, times }) => ({
          key: `${words} ${code ?? ''}`,
          what: (
            <>
              <span>{words}</span> {code && <code>{code}</code>}
            </>
          ),
          share: times / (commonest?.times ?? times),
          figure: times,
        }))}
      />
    </Panel>
  )
}
