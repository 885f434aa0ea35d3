import { ButtonsSection } from './ButtonsSection.tsx'
import { ChoiceCardsSection } from './ChoiceCardsSection.tsx'
import { OpeningsSection } from './OpeningsSection.tsx'
import { SliderSection } from './SliderSection.tsx'
import { SwitchesSection } from './SwitchesSection.tsx'
import { TabsSection } from './TabsSection.tsx'
import { WindowsSection } from './WindowsSection.tsx'

export default function ControlsPart() {
  return (
    <>
      <ButtonsSection />
      <ChoiceCardsSection />
      <SwitchesSection />
      <SliderSection />
      <TabsSection />
      <WindowsSection />
      <OpeningsSection />
    </>
  )
}
