import { Section, State, States } from './Section.tsx'
import * as s from './foundations.module.css'

export function MeasuresSection() {
  return (
    <Section
      title="Space, corners and shadow"
      note="Seven spacings in pixels. They do not grow with the text size, which leaves more room for larger text."
    >
      <dl className={s.scale}>
        {[1, 2, 3, 4, 5, 6, 7].map((step) => (
          <div key={step}>
            <dt>
              <code>--space-{step}</code>
            </dt>
            <dd className={s[`space${step}`]} />
          </div>
        ))}
      </dl>
      <States>
        <State name="--r-xs, a menu row">
          <div className={`${s.box} ${s.cornerXs}`} />
        </State>
        <State name="--r-s, a field">
          <div className={`${s.box} ${s.cornerS}`} />
        </State>
        <State name="--r and --shadow, a card">
          <div className={`${s.box} ${s.corner}`} />
        </State>
        <State name="--r-round, a button">
          <div className={`${s.box} ${s.cornerRound}`} />
        </State>
      </States>
    </Section>
  )
}
