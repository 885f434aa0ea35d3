import * as s from './StepBar.module.css'

/** The visitor's progress through a few screens; `current` counts from 0. On a phone only the current title shows. */
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
