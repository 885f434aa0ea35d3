import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { anotherActivationLink } from '#kit/web/has-activated-sim.ts'
import { Link } from '#kit/web/Link.tsx'
import { type QueryResult, useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { ErrorScreen } from '#kit/web/screens/ErrorScreen.tsx'
import { LoadingScreen } from '#kit/web/screens/LoadingScreen.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { EmailAddress } from '#kit/web/widgets/EmailAddress.tsx'
import { Icon, type IconName } from '#kit/web/widgets/Icon.tsx'
import { FanProgress } from '#kit/web/widgets/FanProgress.tsx'
import { accountQuery, reloadAccount } from '#features/auth/web/account.queries.ts'
import { AutoRenewalOffNotice } from '#features/services/web/AutoRenewalOffNotice.tsx'
import { reloadServices, servicesQuery } from '#features/services/web/services.queries.ts'
import { clearVoucher } from '#features/vouchers/web/saved-voucher.ts'
import type { Activation } from '../activation.contract.ts'
import { activationQuery } from './activation.queries.ts'
import { formatNumberToTransfer } from './number-to-transfer.ts'
import { clearStepDrafts } from './wizard.ts'
import * as s from './success.module.css'

export default function SuccessPage() {
  const { data, isError } = useActivationUntilMasked()
  if (data) return <ActivationSuccess activation={data} />
  return isError ? <ErrorScreen onRetry={() => location.reload()} /> : <LoadingScreen />
}

/** How often, in milliseconds, to reload the activation while the page shows unmasked details. */
const maskCheckIntervalMs = 60_000

/**
 * Reloads the activation until the server masks the visitor's details, so that the next person at the computer cannot
 * see them.
 */
function useActivationUntilMasked(): QueryResult<Activation | null> {
  const api = useApi()
  const account = useQuery({ ...accountQuery(api), enabled: false }).data
  const isAnonymous = account?.authenticated === false
  return useQuery({
    ...activationQuery(api),
    retryOnMount: false,
    refetchInterval: (activation) =>
      isAnonymous && activation?.email.includes('•') === false ? maskCheckIntervalMs : undefined,
  })
}

function ActivationSuccess({ activation }: { activation: Activation }) {
  const { plan_title, product, setup_porting, email, using_voucher } = activation
  const { market } = useBootstrap()
  const account = useQuery(accountQuery(useApi())).data
  useReloadForNewService(account?.authenticated === true)
  useEffect(() => {
    clearStepDrafts()
    if (using_voucher) clearVoucher()
  }, [using_voucher])

  return (
    <div className={s.success}>
      <div className={s.top}>
        <FanProgress part={1} />
        <h1>Activation Complete</h1>
        <p className={s.plan}>
          {plan_title}
          {product && <span> · {product.length} days</span>}
        </p>
      </div>
      <Card>
        <NumberPanel activation={activation} />
        <ul className={s.next}>
          <NextAction icon="sim">
            {setup_porting ? keepOldSimHints[market.code] : 'Don’t forget to insert your new SIM into your phone.'}
          </NextAction>
          {!account?.authenticated && (
            <NextAction icon="mail">
              We’ve sent a confirmation email to <EmailAddress of={email} />. Click the link in it to confirm your email
              address.
            </NextAction>
          )}
        </ul>
      </Card>
      <Button kind="quiet" wide href={anotherActivationLink.url}>
        {anotherActivationLink.text}
      </Button>
      {account?.authenticated && <AutoRenewalPrompt phoneNumber={activation.phone_number} />}
      <nav aria-labelledby="dashboard">
        <h2 id="dashboard" className={s.label}>
          On your dashboard
        </h2>
        <ul className={s.links}>
          {dashboardLinks(activation).map(({ text, href }) => (
            <li key={text}>
              <Link href={href}>
                {text}
                <Icon name="arrow" />
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}

/** Links to pages that require a login. Until the service is known, its links lead to the dashboard. */
function dashboardLinks({ uuid }: Activation): { text: string; href: string }[] {
  const servicePath = uuid ? `/services/${uuid}/` : '/'
  return [
    { text: 'See your usage', href: servicePath },
    { text: 'Purchase Add-Ons', href: uuid ? `${servicePath}addons/` : '/' },
    { text: 'Change your settings', href: '/account/contact-details/' },
  ]
}

const keepOldSimHints = {
  NZ:
    'Keep your old SIM in your phone until a text asks you to confirm the transfer. ' +
    'Reply ‘Yes’ within 2 hours, then insert your new SIM.',
  AU:
    'Keep your old SIM in your phone until a text with a code arrives on it. ' +
    'Log in and enter the code within 2 hours, then insert your new SIM.',
}

function AutoRenewalPrompt({ phoneNumber }: { phoneNumber: string }) {
  const { data: services = {} } = useQuery(servicesQuery(useApi()))
  const service = Object.values(services).find(({ phone_number }) => phone_number === phoneNumber)
  return service ? <AutoRenewalOffNotice uuid={service.uuid} /> : null
}

function NumberPanel({ activation }: { activation: Activation }) {
  const { market } = useBootstrap()
  const { setup_porting, phone_number } = activation
  return setup_porting ? (
    <>
      <h2>Your number is on its way</h2>
      <p className={s.more}>
        You will receive an email confirmation as soon as{' '}
        <b>{formatNumberToTransfer(activation, market.phoneRegion)}</b> has moved to your new SIM. Until then your new
        SIM has the Phone Number <b>{phone_number}</b>.
      </p>
    </>
  ) : (
    <>
      <h2 className={s.label}>Your new Phone Number</h2>
      <p className={s.number}>{phone_number}</p>
    </>
  )
}

function useReloadForNewService(signedIn: boolean): void {
  const api = useApi()
  const client = useQueryClient()
  const reloadActivationStatus = useEffectEvent(() => {
    void reloadServices(api, client)
    void reloadAccount(api, client)
  })
  useEffect(() => {
    if (signedIn) reloadActivationStatus()
  }, [signedIn])
}

function NextAction({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <li>
      <Icon name={icon} />
      <span>{children}</span>
    </li>
  )
}
