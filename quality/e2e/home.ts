import { demoPorts } from '#demo/fixtures.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { simSamples } from '#kit/contract/sim-samples.ts'
import { portAnswers } from '#quality/support/journey.ts'
import type { World } from '#quality/support/world.ts'

/** The entries of a customer who transfers a number, in the country of the world. */
export function homeOf({ deps: { market } }: World) {
  const ports = demoPorts[market.code]
  const { provider, prepaid_sim_number: oldSim = '' } = portAnswers(ports[0].msisdn)
  return {
    /** A number that its provider releases, in national format. */
    number: formatNational(ports[0].msisdn),
    /** Its provider's id in the form's list, and its name there. */
    provider,
    donor: `${provider[0]?.toUpperCase()}${provider.slice(1)}`,
    oldSim,
    /** The request to the owner of the old SIM: the step, its card, and the banner on the service's page. */
    asks:
      market.code === 'NZ'
        ? { step: 'Your YES', title: 'Reply YES to the text', banner: 'Reply YES to bring' }
        : { step: 'Your code', title: 'Enter the code from the text', banner: 'Enter your code to bring' },
    /** The digits with which an old SIM's number begins, in the words of the form. */
    begins: simSamples[market.code].begins,
  } as const
}
