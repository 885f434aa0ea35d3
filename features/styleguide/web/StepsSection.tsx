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
    <Section
      title="Long-running work"
      note="Screen readers announce the current message. The last message stays until the work is done."
    >
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
          Start again
        </Button>
      </p>
      <States>
        <State name="Waiting, progress unknown">
          <FanProgress />
        </State>
        <State name="No progress yet">
          <FanProgress part={0} />
        </State>
        <State name="Half done">
          <FanProgress part={0.5} />
        </State>
        <State name="Complete">
          <FanProgress part={1} />
        </State>
      </States>
    </Section>
  )
}
