import { useState } from 'react'
import { Switch } from '#kit/web/form/Switch.tsx'
import { Section, State, States } from './Section.tsx'

export function SwitchesSection() {
  const [isOn, setOn] = useState(true)
  return (
    <Section title="Switches" note="A switch takes effect as soon as it is pressed, or when its form is sent.">
      <States>
        <State name="Interactive">
          <Switch label="80% used" isOn={isOn} onChange={setOn} />
        </State>
        <State name="Off">
          <Switch label="50% used" isOn={false} onChange={() => {}} />
        </State>
        <State name="Fixed: can be focused and read aloud, but not changed">
          <Switch label="Before my plan ends" isOn isFixed onChange={() => {}} />
        </State>
        <State name="Disabled until the page is interactive">
          <Switch label="I agree to receive offers" isOn={false} disabled onChange={() => {}} />
        </State>
      </States>
    </Section>
  )
}
