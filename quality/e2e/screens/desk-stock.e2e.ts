import { deskScreenCatalogue } from './desk-catalogue.ts'
import { checkDeskScreens } from './check-desk-screens.ts'

checkDeskScreens('desk-stock', deskScreenCatalogue['desk-stock'])
