import { deskCatalogue } from './desk-catalogue.ts'
import { checkDeskScreens } from './check-desk-screens.ts'

checkDeskScreens('desk-stock', deskCatalogue['desk-stock'])
