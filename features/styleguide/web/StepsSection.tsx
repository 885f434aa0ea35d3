import { useState } from 'react'
import { Button } from '#kit/web/widgets/Button.tsx'
import { ProgressSteps } from '#kit/web/widgets/ProgressSteps.tsx'
import { FanProgress } from '#kit/web/widgets/FanProgress.tsx'
import { Section, State, States } from './Section.tsx'
import * as s from './guide.module.css'

const messages = [
  'Starting... Connecting to the Network',
  'Activating',
  'Adding Prepay Plan',
  'Processing Payment',
  'Just a few moments left',
]

export function StepsSection() {
  const [index, setIndex] = useState(0)
  return (
    <Section title="Work that takes a while" note="The present message is read out; past the last one it stays.">
      <div className={s.frame}>
        <ProgressSteps
          messages={messages}
          index={index}
          note="You can leave this page. We’ll email you when it’s done."
        />
      </div>
      <p className={s.row}>
        <Button kind="quiet" onClick={() => setIndex(index + 1)}>
          Next message
        </Button>
        <Button kind="plain" onClick={() => setIndex(0)}>
          From the start
        </Button>
      </p>
      <States>
        <State name="The tail, waiting">
          <FanProgress />
        </State>
        <State name="Nothing of it yet">
          <FanProgress part={0} />
        </State>
        <State name="Half of it">
          <FanProgress part={0.5} />
        </State>
        <State name="At rest">
          <FanProgress part={1} />
        </State>
      </States>
    </Section>
  )
}
