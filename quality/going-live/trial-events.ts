import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildNotificationBody } from '#simulators/gateway/notification.ts'
import type { NotificationItem } from '#simulators/gateway/state.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { createCustomers, type Customer, trust } from './create-customers.ts'
import type { LaterStepVariable } from './guide-variables.ts'
import { generateKeys, startTrialServices, type TrialServices } from './trial-services.ts'
import type { Shell } from './shell.ts'
import { changeTrialPrice, trialPlanId } from './trial-provider.ts'
import { openDeskAsFirstStaff, waitForTaskMail } from './trial-staff.ts'

type CustomerActions = ReturnType<typeof createCustomers>

export type Trial = {
  folder: string
  shell: Shell
  follow(heading: string): Promise<void>
  given: Map<string, string>
  outside?: TrialServices
  customers?: CustomerActions
  byCard?: Customer
  byVoucher?: Customer
  stopLoad?: () => Promise<{ calls: number; wrong: string[] }>
  figures: string[]
}

/**
 * Events that the guide expects but for which it gives no shell commands, by the text of its `trial:` comments. Each function throws if the
 * event does not have the expected result.
 */
export const acts: Record<string, (trial: Trial) => Promise<void>> = {
  async 'the outside world opens'(trial) {
    const url = trial.given.get('FANTAIL_URL') ?? ''
    const portalAuthority = join(trial.given.get('FANTAIL_ETC') ?? '', 'authority/ca.crt')
    trust(portalAuthority)
    const trialServices = await startTrialServices({
      folder: join(trial.folder, 'outside'),
      url,
      portalAuthority,
      providerFolder: trial.given.get('PROVIDER_FOLDER') ?? '',
    })
    const sims = join(trial.folder, 'sims.csv')
    writeFileSync(
      sims,
      ['iccid,msisdn', ...trialServices.sims.map(({ iccid, msisdn }) => `${iccid},${msisdn}`), ''].join('\n'),
    )
    trial.outside = trialServices
    const { publicKey, sims: packs } = trialServices
    trial.customers = createCustomers({ url, publicKey, sims: [...packs], plan: trialPlanId })
    for (const [name, value] of Object.entries(trialServices.told())) trial.given.set(name, value)
    for (const [name, value] of Object.entries(createNewCredentials(trialServices))) trial.given.set(name, value)
  },

  async 'the first staff open the desk'(trial) {
    const ports = await trial.shell.valueOf('FANTAIL_DESK_PORTS')
    await openDeskAsFirstStaff(trial.given, requireTrialServices(trial), `http://127.0.0.1:${ports}01`)
  },

  async 'a customer activates by card'(trial) {
    trial.byCard = await requireCustomers(trial).activates()
    trial.given.set('ORDER', trial.byCard.orderCode)
    await waitForMail(trial, trial.byCard.email)
    const line = await readPaymentLine(trial, trial.byCard.orderCode)
    requireTrue(line.captured > 0 && line.captured === line.authorised, 'the gateway has captured what it authorised')
  },

  async 'a customer activates by voucher'(trial) {
    trial.byVoucher = await requireCustomers(trial).activates({ voucher: takeVoucher(trial) })
    await waitForMail(trial, trial.byVoucher.email)
    const { network } = await requireTrialServices(trial).ledgers()
    const { orderCode } = trial.byVoucher
    const mine = network.filter(({ external_id: id, state }) => id.startsWith(`${orderCode}-`) && state === 'completed')
    requireTrue(mine.length >= 2, 'the network has activated the SIM and added the plan')
  },

  async 'the refund is in the books of the gateway'(trial) {
    await pollUntil(async () => (await readPaymentLine(trial, requireCardCustomer(trial).orderCode)).refunded === 100)
  },

  async 'a bank takes a payment back'(trial) {
    const line = await readPaymentLine(trial, requireCardCustomer(trial).orderCode)
    const item = {
      eventCode: 'CHARGEBACK',
      success: 'true',
      pspReference: randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase(),
      originalReference: line.psp_reference,
      merchantReference: line.reference,
      merchantAccountCode: requireTrialServices(trial).merchantAccount,
      amount: { value: line.captured - line.refunded, currency: 'NZD' },
      reason: 'Fraudulent',
      eventDate: new Date().toISOString(),
      additionalData: {},
    }
    const body = buildNotificationBody(item as unknown as NotificationItem, requireTrialServices(trial).keys().hmacKey)
    const answer = await fetch(`${trial.given.get('FANTAIL_URL')}/callbacks/card/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    requireTrue(answer.status === 200, `the chargeback is taken in, not answered ${answer.status}`)
    const list = await trial.shell.run('operator disputes list --json\n', 'disputes')
    requireTrue(list.includes(requireCardCustomer(trial).orderCode), 'it is in the list of disputes')
    await waitForTaskMail(trial.given, requireTrialServices(trial))
  },

  async 'a price changes in the folder'(trial) {
    changeTrialPrice(join(trial.given.get('FANTAIL_ETC') ?? '', 'provider'), 2650)
  },

  async 'the plan is on sale at the new price'(trial) {
    const visitor = await requireCustomers(trial).logIn(requireCardCustomer(trial).email)
    await pollUntil(async () => {
      const { body } = await visitor.get('/api/products/')
      return JSON.stringify(body).includes('"price":"26.50"')
    })
  },

  async 'everything is destroyed'(trial) {
    // Kill everything at once and without warning, as if the machine had been destroyed.
    await trial.shell.run(
      `for pid in "$FANTAIL_TRIAL"/*@*.pid; do kill -KILL "$(cat "$pid")"; done
nginx -s stop
runuser -u postgres -- psql --quiet --no-psqlrc --command "drop database $FANTAIL_DATABASE with (force)"
runuser -u postgres -- psql --quiet --no-psqlrc --command "drop role $FANTAIL_DATABASE, \${FANTAIL_DATABASE}_owner"
cd /
rm -rf "$FANTAIL_ETC" "$FANTAIL_STATE" "$FANTAIL_HOME" "$FANTAIL_UNITS"/* "$FANTAIL_NGINX"/conf.d/*
userdel "$FANTAIL_USER"
`,
      'destroy',
    )
  },

  async 'those two sections are followed again'({ follow }) {
    await follow('Packages, user, folders')
    await follow('The product')
  },

  async 'all is as it was'(trial) {
    trust(join(trial.given.get('FANTAIL_ETC') ?? '', 'authority/ca.crt'))
    // Customers stay signed in after a restore, because the restored installation has the same keys.
    await expectSignedIn(requireCardCustomer(trial), 'a session outlives a restore')
    await requireCustomers(trial).logIn(requireVoucherCustomer(trial).email)
    await acts['a customer activates by voucher']?.(trial)
  },

  async 'the gateway signs with the new HMAC key'(trial) {
    await requireTrialServices(trial).changeKeys({ hmacKey: trial.given.get('CARD_HMAC_KEY_NEW') ?? '' })
  },

  async 'the outside world knows the new keys'(trial) {
    const given = (name: string): string => trial.given.get(name) ?? ''
    await requireTrialServices(trial).changeKeys({
      cardApiKey: given('CARD_API_KEY_NEW'),
      clientSecret: given('NETWORK_CLIENT_SECRET_NEW'),
      smsApiKey: given('SMS_API_KEY_NEW'),
      mailPassword: new URL(given('SMTP_URL_NEW')).password,
    })
    requireTrialServices(trial).changeClientCertificate()
  },

  async 'everything works with the new keys'(trial) {
    await expectSignedIn(requireCardCustomer(trial), 'a session outlives the change of keys')
    await acts['a customer activates by card']?.(trial)
    await acts['a customer activates by voucher']?.(trial)
  },

  async 'customers keep coming'(trial) {
    trial.stopLoad = requireCustomers(trial).keepComing()
  },

  async 'customers noticed nothing of the new version'(trial) {
    const { calls, wrong } = (await trial.stopLoad?.()) ?? { calls: 0, wrong: ['there was no load'] }
    trial.figures.push(`${calls} requests while the version changed, ${wrong.length} failed`)
    requireTrue(calls > 100 && wrong.length === 0, `no call fails: ${wrong.slice(0, 5).join('; ')} (of ${calls})`)
  },

  async 'a customer activates while the standby follows'(trial) {
    await acts['a customer activates by card']?.(trial)
  },

  async 'nothing is lost by the failover'(trial) {
    await requireCustomers(trial).logIn(requireCardCustomer(trial).email)
    const order = await trial.shell.run(
      `operator orders show ${requireCardCustomer(trial).orderCode}\n`,
      'order-after-failover',
    )
    requireTrue(order.includes('completed'), `the order is there, and completed: ${order}`)
    await acts['a customer activates by voucher']?.(trial)
  },
}

function createNewCredentials(outside: TrialServices): Record<Exclude<LaterStepVariable, 'ORDER'>, string> {
  const { cardApiKey, hmacKey, clientSecret, smsApiKey, mailPassword } = generateKeys()
  const smtp = new URL(outside.told().SMTP_URL)
  smtp.password = mailPassword
  return {
    CARD_HMAC_KEY_NEW: hmacKey,
    CARD_API_KEY_NEW: cardApiKey,
    NETWORK_CLIENT_SECRET_NEW: clientSecret,
    SMS_API_KEY_NEW: smsApiKey,
    SMTP_URL_NEW: smtp.href,
  }
}

function takeVoucher({ given }: Trial): string {
  const file = given.get('VOUCHER_FILE') ?? ''
  const [code = '', ...rest] = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  writeFileSync(file, `${rest.join('\n')}\n`)
  return code
}

async function readPaymentLine(trial: Trial, orderCode: string) {
  const { gateway } = await requireTrialServices(trial).ledgers()
  const line = gateway.find(({ reference }) => reference.startsWith(`${orderCode}-`))
  if (!line) throw new Error(`the gateway knows nothing of ${orderCode}`)
  return line
}

const waitForMail = (trial: Trial, address: string) =>
  pollUntil(async () =>
    (await requireTrialServices(trial).mails()).find(
      ({ to, tls, user }) => to.includes(address) && tls && user === 'fantail',
    ),
  )

function there<T>(thing: T | undefined, what: string): T {
  if (thing === undefined) throw new Error(`${what} is not there yet: the page is in another order`)
  return thing
}
const requireTrialServices = ({ outside }: Trial): TrialServices => there(outside, 'the outside world')
const requireCustomers = ({ customers }: Trial): CustomerActions => there(customers, 'the portal')
const requireCardCustomer = ({ byCard: customer }: Trial): Customer => there(customer, 'a customer by card')
const requireVoucherCustomer = ({ byVoucher: customer }: Trial): Customer => there(customer, 'a customer by voucher')

async function expectSignedIn({ visitor, email }: Customer, what: string): Promise<void> {
  const { body } = await visitor.get('/api/account/')
  requireTrue(JSON.stringify(body).includes(email), `${what}: ${JSON.stringify(body)}`)
}

function requireTrue(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`it is not so that ${what}`)
}
