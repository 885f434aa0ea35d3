import { demoPorts } from '#demo/fixtures.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { simSamples } from '#kit/contract/sim-samples.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import type { World } from '#quality/support/world.ts'

export function getCountryInputs({ deps: { market } }: World) {
  const ports = demoPorts[market.code]
  const { provider, prepaid_sim_number: oldSim = '' } = portForm(ports[0].msisdn)
  return {
    number: formatNational(ports[0].msisdn),
    provider,
    donor: `${provider[0]?.toUpperCase()}${provider.slice(1)}`,
    oldSim,
    asks:
      market.code === 'NZ'
        ? { step: 'You reply YES', title: 'Reply YES to the text', request: 'Reply ‘Yes’ to the text' }
        : {
            step: 'You enter the code',
            title: 'Enter the code from the text',
            request: 'Enter the code from the text',
          },
    begins: simSamples[market.code].begins,
  } as const
}
