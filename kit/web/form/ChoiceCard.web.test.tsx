import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ChoiceCard } from './ChoiceCard.tsx'

test('a choice card is a radio button with a name and description, and its extra controls do not select it', async () => {
  const onChoose = vi.fn<() => void>()
  render(
    <ChoiceCard
      name="plan"
      value="p1"
      checked={false}
      onChoose={onChoose}
      labelledBy="title price"
      describedBy="length"
      more={<button type="button">Where?</button>}
    >
      <span id="title">25 GB</span> <span id="price">$43.00</span> <span id="length">For 30 days</span>
    </ChoiceCard>,
  )
  const radio = screen.getByRole<HTMLInputElement>('radio', { name: '25 GB $43.00', description: 'For 30 days' })
  expect([radio.name, radio.value, radio.checked]).toEqual(['plan', 'p1', false])
  await userEvent.click(screen.getByRole('button', { name: 'Where?' }))
  expect(onChoose).not.toHaveBeenCalled()
  await userEvent.click(screen.getByText('For 30 days'))
  expect(onChoose).toHaveBeenCalledOnce()
})
