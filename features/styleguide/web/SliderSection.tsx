import { useState } from 'react'
import { type LengthOption, LengthSlider } from '#kit/web/widgets/LengthSlider.tsx'
import { Section, State, States } from './Section.tsx'

const option = (position: number, length: number, promo_text: string | null = null): LengthOption => ({
  position,
  length,
  unit: 'days',
  promo_text,
})

const few = [option(0, 7), option(25, 30), option(50, 90, 'Save 15%'), option(75, 180), option(100, 365, 'Best value')]
const crowded = [
  option(0, 30, 'Most popular'),
  option(33, 90, 'Save 15%'),
  option(66, 180, 'Save 20%'),
  option(100, 365, 'Best value'),
]

export function SliderSection() {
  const [length, setLength] = useState(90)
  const [other, setOther] = useState(30)
  return (
    <Section title="Slider" note="The arrow keys go from length to length; Home and End to the ends.">
      <States wide>
        <State name="Five lengths, two stickers">
          <LengthSlider label="Plan length" options={few} value={length} onChange={setLength} />
        </State>
        <State name="A sticker on each">
          <LengthSlider label="Plan length, with stickers" options={crowded} value={other} onChange={setOther} />
        </State>
        <State name="One length only">
          <LengthSlider label="The only length" options={[option(50, 30)]} value={30} onChange={() => {}} />
        </State>
      </States>
    </Section>
  )
}
