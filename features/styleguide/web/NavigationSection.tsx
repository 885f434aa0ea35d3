import { useState } from 'react'
import { Breadcrumb } from '#kit/web/widgets/Breadcrumb.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { StepBar } from '#kit/web/widgets/StepBar.tsx'
import { Section, State } from './Section.tsx'
import * as s from './guide.module.css'

const steps = ['SIM Pack Details', 'Personal Details', 'Prepay Plan Details', 'Payment Details']

export function NavigationSection() {
  const [current, setCurrent] = useState(1)
  return (
    <Section title="Navigation" note="On a phone, the step bar shows only the current step.">
      <State name="Breadcrumb">
        <Breadcrumb href="/styleguide/" text="Style Guide" />
      </State>
      <State name="Step bar">
        <StepBar steps={steps} current={current} />
      </State>
      <p className={s.row}>
        <Button kind="quiet" disabled={current === 0} onClick={() => setCurrent(current - 1)}>
          Previous step
        </Button>
        <Button kind="quiet" disabled={current === steps.length - 1} onClick={() => setCurrent(current + 1)}>
          Next step
        </Button>
      </p>
    </Section>
  )
}
