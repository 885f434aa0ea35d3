import { useState } from 'react'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Section, State, States } from './Section.tsx'
import * as s from './foundations.module.css'
import * as guide from './guide.module.css'

export function MotionSection() {
  const [stepCount, setStepCount] = useState(0)
  const positionClass = stepCount % 2 ? s.moved : ''
  return (
    <Section
      title="Motion"
      note="Animations have two speeds. Customers whose system asks for reduced motion see no animations."
    >
      <States>
        <State name="--quick, 0.15 s: a response to the pointer">
          <div className={`${s.lane} ${s.quick} ${positionClass}`}>
            <i />
          </div>
        </State>
        <State name="--calm, 0.3 s: something that appears">
          <div className={`${s.lane} ${s.calm} ${positionClass}`}>
            <i />
          </div>
        </State>
        <State name="--appear: an error, a note, a menu">
          <div className={s.lane}>
            <i key={stepCount} className={s.appearing} />
          </div>
        </State>
      </States>
      <Button kind="quiet" className={guide.play} onClick={() => setStepCount(stepCount + 1)}>
        Play
      </Button>
    </Section>
  )
}
