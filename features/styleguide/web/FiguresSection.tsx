import { simSamples } from '#kit/contract/sim-samples.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Price } from '#kit/web/widgets/Price.tsx'
import { SummaryList } from '#kit/web/widgets/SummaryList.tsx'
import { Section, State, States } from './Section.tsx'

export function FiguresSection() {
  const { market } = useBootstrap()
  return (
    <Section title="Summary">
      <States wide>
        <State name="With a total and a note">
          <SummaryList
            rows={[
              ['Prepay Plan Number', simSamples[market.phoneRegion].number],
              ['Selected Add-On', 'Extra 2 GB'],
            ]}
            total={['Total Due', <Price key="due" cents={1_000} />]}
            note={`${market.currency}, including GST.`}
          />
        </State>
        <State name="Values too long for their column">
          <SummaryList
            rows={[
              ['Email', `${'a-very-long-address.'.repeat(4)}ana@example.nz`],
              ['Name', 'Anahera Mereana Te Whetū o te Rangi Rewi-Hohepa-Taumata'],
            ]}
          />
        </State>
      </States>
    </Section>
  )
}
