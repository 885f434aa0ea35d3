import type { Page } from 'playwright-core'
import { portCodeMessages } from '#features/porting/port-code.contract.ts'
import type { PortingProgress, PortingRequestView, Service } from '#features/services/services.contract.ts'
import { describePortFailure } from '#features/porting/server/port-failure.ts'
import { portingProgress, portingRequestView } from '#quality/support/account.ts'
import { getButton, reads } from '../account.ts'
import { getCountryInputs } from '../country-inputs.ts'
import { mockResponse, editResponse } from './page-calls.ts'
import { buildPortForm, portingCustomer } from './people.ts'
import type { Screen, Stage } from './screen.ts'
import { screenByNavigation } from './screen-builders.ts'

const before = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()

const withPort =
  (port: () => Partial<PortingRequestView>) =>
  (page: Page, _: unknown, { world }: Stage): Promise<void> =>
    editResponse<Record<string, Service>>(page, '**/api/services/', (services) =>
      Object.fromEntries(
        Object.entries(services).map(([uuid, service]) => [
          uuid,
          {
            ...service,
            porting_request: portingRequestView({
              msisdn: buildPortForm(world).msisdn,
              donor: getCountryInputs(world).donor,
              requested_at: before(90),
              ...port(),
            }),
          },
        ]),
      ),
    )

const at = (
  name: string,
  step: string | RegExp,
  progress: () => Partial<PortingProgress>,
  { status = 2, act }: { status?: 1 | 2 | 3; act?: (page: Page) => Promise<unknown> } = {},
): Screen =>
  screenByNavigation(`port, ${name}`, '/services/U/port/', portingCustomer, {
    prepare: withPort(() => ({ status, progress: portingProgress({ since: before(36), ...progress() }) })),
    async act(page) {
      await page.locator('[aria-current="step"]').getByRole('heading', { name: step }).waitFor()
      await act?.(page)
    },
  })

/** The title of a transfer's third step: “You reply YES” in New Zealand and “You enter the code” in Australia. */
const asked = /^You (reply YES|enter the code)$/

const found = () => ({ found_at: before(36) })
const reply = () => ({ step: 'reply' as const, ...found(), reply_by: before(-84) })
const moving = () => ({ ...found(), confirmed_at: before(20), since: before(20) })

export const portScreens: Screen[] = [
  at('looked at tomorrow', /is checking your number$/, () => ({ looked_at_from: before(-900) }), { status: 1 }),
  at('more asked for', /needs more details$/, () => ({ step: 'information' }), { status: 1 }),
  at('the reply awaited', asked, reply),
  at('no text', asked, reply, { act: (page) => page.getByText('I didn’t get a text').click() }),
  at('another code', asked, reply, {
    // Skip this step in New Zealand, where customers have no code to enter.
    async act(page) {
      if ((await page.getByRole('textbox', { name: 'Code from the text' }).count()) === 0) return
      await mockResponse(page, '**/api/services/port_code/*/', 400, { code: [portCodeMessages.wrong] })
      await page.getByRole('textbox', { name: 'Code from the text' }).fill('123456')
      await getButton(page, 'Confirm the transfer').click()
      await page.getByText(portCodeMessages.wrong).waitFor()
    },
  }),
  at('time is up', asked, () => ({ ...reply(), since: before(130), reply_by: before(10) }), {
    act: (page) => page.getByRole('heading', { name: 'Time’s up. We’re checking the result.' }).waitFor(),
  }),
  at('to cancel', asked, reply, { act: (page) => getButton(page, 'Cancel the transfer').click() }),
  at('being cancelled', asked, () => ({ ...reply(), is_cancelling: true })),
  at('moving', 'Your number moves', () => ({ step: 'moving', ...moving() })),
  at('moved', 'Put in your new SIM', () => ({ step: 'moved', ...moving() }), { status: 3 }),
  screenByNavigation('port, nobody said Yes', '/services/U/port/', portingCustomer, {
    async prepare(page, owner, stage) {
      const { provider, billing_method, prepaid_sim_number = '' } = buildPortForm(stage.world)
      const reason_text = describePortFailure('no_reply', '', stage.world.deps.market.code)
      await withPort(() => ({ status: 4, reason: 'no_reply', reason_text }))(page, owner, stage)
      await mockResponse(page, '**/api/services/port/*/', 200, {
        msisdn: buildPortForm(stage.world).msisdn,
        provider,
        billing_method,
        prepaid_sim_number,
        account_number: '',
      })
    },
    act: (page) => reads(page, /didn’t move/),
  }),
]
