import { useEffect, useState } from 'react'
import { simSamples } from '#kit/contract/sim-samples.ts'
import { appendZone } from '#kit/contract/zone-name.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { HelpPanel } from '#kit/web/widgets/Disclosure.tsx'
import { type BillingMethod, esimNumberSettings } from '../porting.contract.ts'
import { portingHours } from '../porting-hours.contract.ts'
import { DemoNetworkNote } from './DemoNetworkNote.tsx'
import { OldSimDrawing } from './OldSimDrawing.tsx'
import * as s from './PortingHelp.module.css'

const desktopQuery = '(min-width: 60rem)'

/**
 * Explains where to find the transfer details and how a transfer works (spec 2.6). On a desktop, the SIM number help
 * opens automatically for prepay customers, and is hidden for account customers.
 */
export function PortingHelp({ billingMethod }: { billingMethod: BillingMethod | null }) {
  const { market } = useBootstrap()
  const [simOpen, setSimOpen] = useState(false)
  useEffect(() => {
    if (billingMethod === 'prepay' && matchMedia(desktopQuery).matches) setSimOpen(true)
  }, [billingMethod])

  return (
    <div className={s.help}>
      <HelpPanel title="How the transfer works" open>
        <ol>
          {
            {
              NZ: (
                <>
                  <li>Keep your old SIM in your phone until a confirmation text arrives from a short code.</li>
                  <li>Reply ‘Yes’ to that text within 2 hours.</li>
                </>
              ),
              AU: (
                <>
                  <li>Keep your old SIM in your phone until a text with a code arrives on it.</li>
                  <li>Enter that code on this number’s page within 2 hours.</li>
                </>
              ),
            }[market.phoneRegion]
          }
          <li>Then insert your new SIM.</li>
        </ol>
        <p>
          A transfer usually takes 4 hours in business hours. Providers look at requests{' '}
          {appendZone(portingHours[market.phoneRegion].words, market.zone)}. Later requests wait until they reopen.
        </p>
        <DemoNetworkNote />
      </HelpPanel>
      {billingMethod !== 'account' && (
        <HelpPanel title="Find your SIM Number" open={simOpen}>
          <OldSimDrawing region={market.phoneRegion} />
          <p>
            It’s printed on your old SIM. It has 16 to 20 digits and starts with {simSamples[market.phoneRegion].begins}
            .
          </p>
          <p>An eSIM has no printed number. Use the ICCID of your old eSIM, which is in your phone’s settings:</p>
          <ul>
            <li>iPhone: {esimNumberSettings.iPhone}</li>
            <li>Android: {esimNumberSettings.android}</li>
          </ul>
        </HelpPanel>
      )}
      {billingMethod === 'account' && (
        <HelpPanel title="Find your Account Number">
          <p>It’s on the bill from your current provider.</p>
        </HelpPanel>
      )}
    </div>
  )
}
