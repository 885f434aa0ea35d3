import { ButtonsSection } from './ButtonsSection.tsx'
import { ChoiceCardsSection } from './ChoiceCardsSection.tsx'
import { MenusSection } from './MenusSection.tsx'
import { SliderSection } from './SliderSection.tsx'
import { SwitchesSection } from './SwitchesSection.tsx'
import { TabsSection } from './TabsSection.tsx'
import { DialogsSection } from './DialogsSection.tsx'

export default function ControlsPart() {
  return (
    <>
      <ButtonsSection />
      <ChoiceCardsSection />
      <SwitchesSection />
      <SliderSection />
      <TabsSection />
      <DialogsSection />
      <MenusSection />
    </>
  )
}
