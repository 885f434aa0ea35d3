import { Progress } from '#kit/web/widgets/Progress.tsx'
import type { Load } from '../sim-loads.contract.ts'
import { formatCount } from './count.labels.ts'
import { isUnderWay } from './sim-load.labels.ts'
import * as s from './stock.module.css'

const steps = ['Read', 'Check', 'Load'] as const

export function SimLoadSteps({ load }: { load: Load }) {
  const at = getStepIndex(load)
  return (
    <>
      <ol className={s.steps}>
        {steps.map((step, index) => (
          <li
            key={step}
            className={index <= at ? s.reached : ''}
            aria-current={index === at && isUnderWay(load) ? 'step' : undefined}
          >
            {step}
            {index < at && <span className="visually-hidden">, done</span>}
          </li>
        ))}
      </ol>
      {isUnderWay(load) && (
        <Progress
          label="File progress"
          value={load.done}
          max={Math.max(load.lines, 1)}
          valueText={`${formatCount(load.done)} of ${formatCount(load.lines)} lines`}
        />
      )}
    </>
  )
}

function getStepIndex({ state }: Load): number {
  if (state === 'receiving') return 0
  return state === 'loading' || state === 'loaded' || state === 'withdrawing' ? 2 : 1
}
