import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { signedInAccount } from '#quality/support/account.ts'
import { testService, servicesById, uuid } from '#quality/support/purchase-fixtures.ts'
import { createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import { ownNumberMessages } from '../own-number.contract.ts'
import { numberPages } from './number.pages.ts'

const user = userEvent.setup()
const rename = `PUT /api/services/name/${uuid}/`
const puk = `POST /api/services/puk/${uuid}/`

async function open(replies: Record<string, Reply> = {}, service = testService()) {
  const api = createFakeApi({
    'GET /api/account/': signedInAccount(),
    'GET /api/services/': servicesById(service),
    ...replies,
  })
  await openPortal(numberPages, `/services/${uuid}/number/`, api)
  await screen.findByRole('heading', { level: 1, name: 'Phone Number' })
  return api
}
const bodies = (api: Awaited<ReturnType<typeof open>>, at: string) =>
  api.calls.filter((call) => call.at === at).map(({ body }) => body)
const nameField = () => screen.getByRole<HTMLInputElement>('textbox', { name: /Name for this number/ })

describe('a phone number’s page', () => {
  test('saves a phone number’s name, and keeps the input if saving fails', async () => {
    const api = await open({ [rename]: new ApiError(500, {}) })
    await user.type(nameField(), 'Mum’s tablet')
    await user.click(screen.getByRole('button', { name: /save/i }))
    expect(await screen.findByText(/Something went wrong/)).toBeTruthy()
    expect(nameField().value).toBe('Mum’s tablet')
    api.replies[rename] = { name: 'Mum’s tablet' }
    await user.click(screen.getByRole('button', { name: /save/i }))
    expect(await screen.findByText(ownNumberMessages.saved)).toBeTruthy()
    expect(bodies(api, rename).at(-1)).toEqual({ name: 'Mum’s tablet' })
  })

  test('copies the phone number without spaces, and says whether copying worked', async () => {
    await open()
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await user.click(screen.getByRole('button', { name: 'Copy 021 555 0142' }))
    expect(await screen.findByText('Copied')).toBeTruthy()
    expect(write).toHaveBeenCalledWith('0215550142')
    write.mockRejectedValue(new Error('not allowed'))
    await user.click(screen.getByRole('button', { name: 'Copy 021 555 0142' }))
    expect(await screen.findByText(/doesn’t allow copying here/)).toBeTruthy()
  })

  test('a phone number’s page links to a calendar file for the plan’s last day', async () => {
    await open()
    expect(screen.getByRole('link', { name: 'Add to calendar' }).getAttribute('href')).toBe(
      `/documents/${uuid}/last-day.ics`,
    )
  })

  test('does not offer a calendar file if the plan has expired', async () => {
    await open({}, testService({ is_expired: true }))
    expect(screen.queryByRole('link', { name: 'Add to calendar' })).toBeNull()
  })
})

describe('showing the PUK on a phone number’s page', () => {
  const ask = async (password: string) => {
    await user.type(screen.getByLabelText('Current password'), password)
    await user.click(screen.getByRole('button', { name: 'Show PUK' }))
  }

  test('shows the PUK only after the correct password', async () => {
    const wrong = new ApiError(400, { password: ['That is not your current password.'] })
    const api = await open({ [puk]: wrong })
    await user.click(screen.getByRole('button', { name: 'Show PUK' }))
    expect(bodies(api, puk)).toEqual([])
    await ask('wrong one 1')
    expect(await screen.findByText('That is not your current password.')).toBeTruthy()
    api.replies[puk] = { puk: '01234567' }
    await user.clear(screen.getByLabelText('Current password'))
    await ask('right one 1')
    expect((await screen.findByText('01234567')).closest('p')?.textContent).toBe('Your PUK is 01234567')
    expect(screen.queryByLabelText('Current password')).toBeNull()
  })

  test('shows an error if the network does not return the PUK', async () => {
    await open({ [puk]: new ApiError(400, { __all__: [ownNumberMessages.pukUnavailable] }) })
    await user.click(screen.getByRole('button', { name: 'Show PUK' }))
    await ask('right one 1')
    expect(await screen.findByText(ownNumberMessages.pukUnavailable)).toBeTruthy()
  })
})
