import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { LengthSlider, type LengthOption } from './LengthSlider.tsx'

const option = (position: number, length: number, promo_text: string | null = null): LengthOption => ({
  position,
  length,
  unit: 'days',
  promo_text,
})
const options = [option(0, 7), option(20, 30), option(50, 90, 'Save 15%'), option(100, 365, 'Best value')]

function Example({ start = 30 }: { start?: number }) {
  const [length, setLength] = useState(start)
  return <LengthSlider label="Plan length" options={options} value={length} onChange={setLength} />
}

const slider = () => screen.getByRole<HTMLInputElement>('slider', { name: 'Plan length' })
const says = () => slider().getAttribute('aria-valuetext')
// When an arrow key is pressed, a browser changes a slider's value by one step.
const press = (step: number) => {
  fireEvent.keyDown(slider())
  fireEvent.change(slider(), { target: { value: String(Number(slider().value) + step) } })
}

test('the plan length slider runs from 0 to 100 and describes its selected option', () => {
  render(<Example />)
  expect([slider().min, slider().max, slider().value, says()]).toEqual(['0', '100', '20', '30 days'])
})

test('arrow keys move the slider from option to option, however far apart, and stop at the ends', () => {
  render(<Example />)
  const heard = [1, 1, 1, -1, -1, -1, -1].map((step) => (press(step), says()))
  expect(heard).toEqual(['90 days', '365 days', '365 days', '90 days', '30 days', '7 days', '7 days'])
})

test('the slider can be moved to its first and last options', () => {
  render(<Example />)
  fireEvent.change(slider(), { target: { value: '100' } })
  expect(says()).toBe('365 days')
  fireEvent.change(slider(), { target: { value: '0' } })
  expect(says()).toBe('7 days')
})

test('a dragged slider moves only to the nearest option', () => {
  render(<Example />)
  fireEvent.pointerDown(slider())
  fireEvent.change(slider(), { target: { value: '26' } })
  expect(says()).toBe('30 days')
  fireEvent.change(slider(), { target: { value: '40' } })
  expect(says()).toBe('90 days')
  expect(slider().value).toBe('50')
  fireEvent.pointerUp(slider())
  press(-1)
  expect(says()).toBe('30 days')
})

test('clicking a label on the plan length slider selects that option, and promotions are shown above the slider', () => {
  render(<Example />)
  fireEvent.click(screen.getByText((_, element) => element?.tagName === 'text' && element.textContent === '365 days'))
  expect(says()).toBe('365 days')
  expect(screen.getByText('Save 15%')).toBeDefined()
})

test('the slider selects the first option if the given length is not an option', () => {
  render(<Example start={28} />)
  expect(says()).toBe('7 days')
  press(1)
  expect(says()).toBe('30 days')
})

test('a slider without options shows nothing', () => {
  const { container } = render(<LengthSlider label="Plan length" options={[]} value={30} onChange={() => {}} />)
  expect(container.innerHTML).toBe('')
})
