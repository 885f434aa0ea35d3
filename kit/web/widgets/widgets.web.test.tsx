import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Banner } from './Banner.tsx'
import { Button } from './Button.tsx'
import { HelpPanel } from './Disclosure.tsx'
import { RadialGauge } from './RadialGauge.tsx'
import { Price } from './Price.tsx'
import { Progress } from './Progress.tsx'
import { ProgressSteps } from './ProgressSteps.tsx'
import { StepBar } from './StepBar.tsx'
import { SummaryList } from './SummaryList.tsx'

test('the step bar names every step and marks the current one', () => {
  render(<StepBar steps={['SIM Pack Details', 'Personal Details', 'Payment Details']} current={1} />)
  const steps = within(screen.getByRole('navigation', { name: 'Progress' })).getAllByRole('listitem')
  expect(steps.map((step) => [step.textContent, step.getAttribute('aria-current')])).toEqual([
    ['SIM Pack Details', null],
    ['Personal Details', 'step'],
    ['Payment Details', null],
  ])
})

test('a button submits only if it is a submit button, and is a link if it has a URL', () => {
  render(
    <>
      <Button>Stay</Button>
      <Button type="submit">Send</Button>
      <Button href="/activate/">Go</Button>
    </>,
  )
  expect(screen.getAllByRole<HTMLButtonElement>('button').map((button) => button.type)).toEqual(['button', 'submit'])
  expect(screen.getByRole('link', { name: 'Go' }).getAttribute('href')).toBe('/activate/')
})

test('a price has two decimals, and the old price is shown only if it was higher', () => {
  const text = (was: number | null) => render(<Price cents={10940} was={was} />).container.textContent
  expect([text(12900), text(10940), text(null)]).toEqual(['was $129.00 $109.40', '$109.40', '$109.40'])
})

test('a summary list pairs labels and values', () => {
  render(<SummaryList rows={[['Phone number', '021 555 0142']]} total={['Total Due', '$20.00']} note="Including GST" />)
  expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual(['Phone number', 'Total Due'])
  expect(screen.getAllByRole('definition').map((value) => value.textContent)).toEqual(['021 555 0142', '$20.00'])
  expect(screen.getByText('Including GST')).toBeDefined()
})

test('a banner has a close button only if a handler for closing it is provided', async () => {
  const onClose = vi.fn<() => void>()
  render(
    <>
      <Banner kind="bad" title="Failed" onClose={onClose}>
        Try again
      </Banner>
      <Banner kind="info">Only read</Banner>
    </>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(onClose).toHaveBeenCalledOnce()
})

test('a help panel is open or closed as its `open` property says', () => {
  const { rerender } = render(
    <HelpPanel title="Where is it?" open>
      On the SIM
    </HelpPanel>,
  )
  const details = screen.getByRole<HTMLDetailsElement>('group')
  expect(details.open).toBe(true)
  rerender(
    <HelpPanel title="Where is it?" open={false}>
      On the SIM
    </HelpPanel>,
  )
  expect(details.open).toBe(false)
})

test.for([
  [-1, 0],
  [18.4, 18.4],
  [30, 25],
])('a progress bar at %d of 25 shows %d', ([value, shown]) => {
  render(<Progress value={value!} max={25} label="Data left" />)
  const bar = screen.getByRole<HTMLProgressElement>('progressbar', { name: 'Data left' })
  expect([bar.value, bar.max]).toEqual([shown, 25])
})

test.for([
  [0, 25, 0],
  [0.01, 25, 1],
  [18.4, 25, 9],
  [25, 25, 12],
  [40, 25, 12],
  [5, 0, 0],
])('a gauge at %d of %d lights %d feathers', ([value, max, feathers]) => {
  render(
    <RadialGauge value={value!} max={max!} label="Data left" valueText="18.4 GB of 25 GB">
      18.4
    </RadialGauge>,
  )
  const gauge = screen.getByRole('progressbar', { name: 'Data left' })
  expect(gauge.getAttribute('aria-valuetext')).toBe('18.4 GB of 25 GB')
  const [, ...lit] = [...gauge.querySelectorAll('path')].map(
    (path) =>
      path
        .getAttribute('stroke-dasharray')!
        .split(' ')
        .filter((dash) => dash === '93').length,
  )
  expect(lit.reduce((sum, count) => sum + count, 0)).toBe(feathers)
})

test('progress steps announce the message with the given index, or the last message if the index is too high', () => {
  const messages = ['Starting', 'Activating', 'Just a few moments left']
  const { rerender } = render(<ProgressSteps messages={messages} index={0} />)
  const heading = screen.getByRole('heading')
  expect([heading.textContent, heading.getAttribute('aria-live')]).toEqual(['Starting', 'polite'])
  rerender(<ProgressSteps messages={messages} index={1} />)
  expect(heading.textContent).toBe('Activating')
  rerender(<ProgressSteps messages={messages} index={9} note="Nearly there" />)
  expect(heading.textContent).toBe('Just a few moments left')
})
