import * as s from './StepBar.module.css'

export function StepBar({ steps, current }: { steps: readonly string[]; current: number }) {
  return (
    <nav aria-label="Progress">
      <ol className={s.steps}>
        {steps.map((title, index) => (
          <li
            key={title}
            className={index <= current ? s.reached : ''}
            aria-current={index === current ? 'step' : undefined}
          >
            <span>{title}</span>
          </li>
        ))}
      </ol>
    </nav>
  )
}
