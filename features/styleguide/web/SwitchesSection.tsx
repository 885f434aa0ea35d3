import { useState } from 'react'
import { Switch } from '#kit/web/form/Switch.tsx'
import { Section, State, States } from './Section.tsx'

export function SwitchesSection() {
  const [isOn, setOn] = useState(true)
  return (
    <Section title="Switches" note="What is on or off from the press on, or with the form that it stands in.">
      <States>
        <State name="To be pressed">
          <Switch label="80% used" isOn={isOn} onChange={setOn} />
        </State>
        <State name="Off">
          <Switch label="50% used" isOn={false} onChange={() => {}} />
        </State>
        <State name="Fixed: it can be reached and is read">
          <Switch label="Before my plan ends" isOn isFixed onChange={() => {}} />
        </State>
        <State name="Until the page is alive">
          <Switch label="I agree to be told of offers" isOn={false} disabled onChange={() => {}} />
        </State>
      </States>
    </Section>
  )
}
