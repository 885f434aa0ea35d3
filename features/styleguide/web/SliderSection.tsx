import { useState } from 'react'
import { type LengthOption, LengthSlider } from '#kit/web/widgets/LengthSlider.tsx'
import { Section, State, States } from './Section.tsx'

const createLengthOption = (position: number, length: number, promo_text: string | null = null): LengthOption => ({
  position,
  length,
  unit: 'days',
  promo_text,
})

const fewOptions = [
  createLengthOption(0, 7),
  createLengthOption(25, 30),
  createLengthOption(50, 90, 'Save 15%'),
  createLengthOption(75, 180),
  createLengthOption(100, 365, 'Best value'),
]
const manyOptions = [
  createLengthOption(0, 30, 'Most popular'),
  createLengthOption(33, 90, 'Save 15%'),
  createLengthOption(66, 180, 'Save 20%'),
  createLengthOption(100, 365, 'Best value'),
]

export function SliderSection() {
  const [length, setLength] = useState(90)
  const [otherLength, setOtherLength] = useState(30)
  return (
    <Section
      title="Slider"
      note="The arrow keys move between the lengths; Home and End move to the first and last length."
    >
      <States wide>
        <State name="Five lengths, two with a label">
          <LengthSlider label="Plan length" options={fewOptions} value={length} onChange={setLength} />
        </State>
        <State name="Every length with a label">
          <LengthSlider
            label="Plan length, with labels"
            options={manyOptions}
            value={otherLength}
            onChange={setOtherLength}
          />
        </State>
        <State name="One length only">
          <LengthSlider label="The only length" options={[createLengthOption(50, 30)]} value={30} onChange={() => {}} />
        </State>
      </States>
    </Section>
  )
}
