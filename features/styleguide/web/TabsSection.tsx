import { Tabs } from '#kit/web/widgets/Tabs.tsx'
import { Section } from './Section.tsx'

export function TabsSection() {
  return (
    <Section
      title="Tabs"
      note="The arrow keys move between tabs and wrap around; Home and End move to the first and last tab. Tab moves into the content."
    >
      <Tabs
        label="Usage"
        tabs={[
          { title: 'Data', content: <p>18.4 GB of 25 GB are left.</p> },
          { title: 'Calls', content: <p>Standard calls are unlimited.</p> },
          { title: 'SMS', content: <p className="muted">Nothing yet.</p> },
        ]}
      />
    </Section>
  )
}
