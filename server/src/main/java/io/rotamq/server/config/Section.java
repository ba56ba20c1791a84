package io.rotamq.server.config;

import java.util.List;

/**
 * Settings that belong together, in the order of the reference page.
 *
 * @param title the heading
 * @param intro a paragraph of Markdown; may be empty
 * @param settings the settings, in the order in which an operator meets them
 */
record Section(String title, String intro, List<Setting<?>> settings) {
    Section {
        settings = List.copyOf(settings);
    }
}
